// What is drawn on cards, as SVG: suit symbols, court figures and the jester of the jokers.

import type { Suit } from "../cards";

const SUIT_PATHS: Record<Suit, string> = {
  S: "M50 4C60 24 92 40 92 64c0 14-10 22-21 22-7 0-13-3-16-8 1 9 4 14 11 18H34c7-4 10-9 11-18-3 5-9 8-16 8C18 86 8 78 8 64 8 40 40 24 50 4Z",
  H: "M50 94C36 78 6 58 6 32 6 16 18 8 29 8c9 0 17 5 21 14C54 13 62 8 71 8c11 0 23 8 23 24 0 26-30 46-44 62Z",
  D: "M50 3 88 50 50 97 12 50Z",
  C: "M50 5c12 0 21 9 21 21 0 7-3 12-7 16 3-2 6-2 9-2 12 0 21 9 21 21s-9 21-21 21c-8 0-14-4-18-10 1 10 4 16 12 21H33c8-5 11-11 12-21-4 6-10 10-18 10C15 82 6 73 6 61s9-21 21-21c3 0 6 0 9 2-4-4-7-9-7-16C29 14 38 5 50 5Z",
};

export function SuitSymbol({ suit }: { suit: Suit }) {
  return (
    <svg class="suit-symbol" viewBox="0 0 100 100" aria-hidden="true">
      <path d={SUIT_PATHS[suit]} />
    </svg>
  );
}

/** The upper half of a figure; the lower half is the same, turned round. */
interface Half {
  hair: string;
  gilt: string;
  ink: string;
}

const COURT_HALVES: Record<string, Half> = {
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
  const half = COURT_HALVES[rank];
  return (
    <svg class="court" viewBox="0 0 60 100" aria-hidden="true">
      <CourtHalf {...half} />
      <g transform="rotate(180 30 50)">
        <CourtHalf {...half} />
      </g>
    </svg>
  );
}

function CourtHalf({ hair, gilt, ink }: Half) {
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

const STAR_PATH = "M50 4 63 37 98 39 71 61 80 96 50 76 20 96 29 61 2 39 37 37Z";

export function Star() {
  return (
    <svg class="joker-star" viewBox="0 0 100 100">
      <path d={STAR_PATH} />
    </svg>
  );
}

export function JesterFigure() {
  return (
    <svg class="court jester" viewBox="0 0 60 100">
      <JesterHalf />
      <g transform="rotate(180 30 50)">
        <JesterHalf />
      </g>
    </svg>
  );
}

function JesterHalf() {
  return (
    <g>
      <path class="court-ink" d="M6 51 10 37 19 44 23 35 30 44 37 35 41 44 50 37 54 51Z" />
      <path class="court-face" d="M21 15h18v11c0 6-4 11-9 11s-9-5-9-11Z" />
      <path class="court-ink" d="M20 18C18 8 12 5 7 14c4-1 7 1 8 10l6-1Z" />
      <path class="court-ink" d="M40 18c2-10 8-13 13-4-4-1-7 1-8 10l-6-1Z" />
      <path class="court-gilt" d="M18 19C20 11 27 9 30 2c3 7 10 9 12 17-8-3-16-3-24 0Z" />
      <circle class="court-gilt" cx="8" cy="16" r="3" />
      <circle class="court-gilt" cx="52" cy="16" r="3" />
      <circle class="court-gilt" cx="30" cy="3.5" r="3" />
      <circle class="court-ink" cx="26.5" cy="23" r="1.2" />
      <circle class="court-ink" cx="33.5" cy="23" r="1.2" />
      <path class="joker-smile" d="M25.5 29c2.5 3.5 6.5 3.5 9 0" />
    </g>
  );
}
