// The page's address: "/" is the first screen, "/t/KQXZP" a table.

const CODE_LENGTH = 5;

/** What was typed or pasted, as a code: letters only, upper case; a pasted link gives the code in it. */
export function parseCode(text: string): string {
  const tail = text.match(/\/t\/([A-Za-z]+)/)?.[1] ?? text;
  return tail
    .replace(/[^A-Za-z]/g, "")
    .toUpperCase()
    .slice(0, CODE_LENGTH);
}

export const isCode = (text: string): boolean => text.length === CODE_LENGTH;

export function codeFromPath(path: string): string | null {
  const found = path.match(/^\/t\/([A-Za-z]+)\/?$/);
  return found ? found[1].toUpperCase() : null;
}

export const pathTo = (code: string | null): string => (code === null ? "/" : `/t/${code}`);
export const linkTo = (code: string): string => location.origin + pathTo(code);

/** On the first screen: the rules of the next table. */
export const RULES_HASH = "#rules";

export function goToRules(open: boolean): void {
  history.pushState(null, "", location.pathname + location.search + (open ? RULES_HASH : ""));
}

/** Moves to a table, or home; `?pace=` stays. */
export function go(code: string | null): void {
  const path = pathTo(code);
  if (location.pathname !== path) history.pushState(null, "", path + location.search);
}
