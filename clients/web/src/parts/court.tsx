// Jack, queen and king: one half drawn, the other the same turned round; two inks, the suit's and gilt.

interface Half {
  hair: string;
  gilt: string;
  ink: string;
}

const HALVES: Record<string, Half> = {
  K: {
    hair: "M19 19v8c0 9 5 15 11 15s11-6 11-15v-8h-4v7c0 3-3 5-7 5s-7-2-7-5v-7Z",
    gilt: "M17 16 14 3l8 6 8-8 8 8 8-6-3 13Z",
    ink: "M4 50c0-9 6-14 16-16l10 9 10-9c10 2 16 7 16 16v1H4Z",
  },
  Q: {
    hair: "M18 16c-4 8-4 17-6 23 5 1 9-1 10-4l2-15h12l2 15c1 3 5 5 10 4-2-6-2-15-6-23-6-4-18-4-24 0Z",
    gilt: "M18 14c1-5 3-8 4-9a2.6 2.6 0 1 1 2 1l3 3a3.4 3.4 0 1 1 6 0l3-3a2.6 2.6 0 1 1 2-1c1 1 3 4 4 9-7-3-17-3-24 0Z",
    ink: "M6 50c0-8 5-13 15-14 1 5 4 8 9 8s8-3 9-8c10 1 15 6 15 14v1H6Z",
  },
  J: {
    hair: "M19 17v13c0 3 2 4 4 4V20h14v14c2 0 4-1 4-4V17Z",
    gilt: "M15 17C14 8 22 4 30 4c3 0 6 .5 8 1.500C42 2 47 0 52 2c-1 6-5 9-9 9.5.8 1.5 1.5 3.5 1.5 5.5-9-3-20-3-29.5 0Z",
    ink: "M5 50c0-8 6-13 16-14l9 5 9-5c10 1 16 6 16 14v1H5Z",
  },
};

export function CourtFigure({ rank }: { rank: string }) {
  const half = HALVES[rank];
  return (
    <svg class="court" viewBox="0 0 60 100" aria-hidden="true">
      <HalfFigure {...half} />
      <g transform="rotate(180 30 50)">
        <HalfFigure {...half} />
      </g>
    </svg>
  );
}

function HalfFigure({ hair, gilt, ink }: Half) {
  return (
    <g>
      <path class="court-ink" d={ink} />
      <path class="court-gilt" d="M30 50 22 38l8 6 8-6Z" />
      <path class="court-face" d="M22 15h16v13c0 5-3 9-8 9s-8-4-8-9Z" />
      <path class="court-ink" d={hair} />
      <path class="court-gilt" d={gilt} />
      <circle class="court-ink" cx="26.5" cy="23" r="1.2" />
      <circle class="court-ink" cx="33.5" cy="23" r="1.2" />
    </g>
  );
}
