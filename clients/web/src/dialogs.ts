// Which dialog is open; at most one.

import { signal } from "@preact/signals";

export type DialogName = "menu" | "sheet" | "last" | "leave" | "rules" | "keys";

export const dialog = signal<DialogName | null>(null);
