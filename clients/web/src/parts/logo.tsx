// The logo: a table from above, with three seats taken and the fourth free.

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 64 64" aria-hidden="true">
      <g class="logo-seat">
        <rect x="21" y="2" width="22" height="10" rx="5" />
        <rect x="2" y="21" width="10" height="22" rx="5" />
        <rect x="52" y="21" width="10" height="22" rx="5" />
      </g>
      <rect class="logo-fourth" x="21" y="52" width="22" height="10" rx="5" />
      <path
        class="logo-spade"
        d="M32 16c3 6 13 10 13 17.500 0 4.300-3.100 6.700-6.500 6.700-2.100 0-3.800-.9-4.800-2.400.2 2.900 1.300 4.500 3.300 5.700h-10c2-1.200 3.100-2.800 3.300-5.700-1 1.500-2.700 2.400-4.800 2.400-3.400 0-6.500-2.400-6.500-6.700C19 26 29 22 32 16Z"
      />
    </svg>
  );
}
