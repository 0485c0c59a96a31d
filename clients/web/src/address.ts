// The page's address: "/" is the home screen, "/#rules" the choice of rules, "/t/KQXZP" a table.

const CODE_LENGTH = 5;
const RULES_HASH = "#rules";

/** Returns the table code in typed or pasted text: letters only, in upper case. A link yields the code in its path. */
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

const pathTo = (code: string | null): string => (code === null ? "/" : `/t/${code}`);
export const linkTo = (code: string): string => location.origin + pathTo(code);

/** Shows a table, or null for home, in the address. The query stays, for `?pace=`. */
export function pushAddress(code: string | null): void {
  if (codeFromPath(location.pathname) !== code) history.pushState(null, "", pathTo(code) + location.search);
}

export const isRulesAddress = (): boolean => location.hash === RULES_HASH;

export function pushRulesAddress(open: boolean): void {
  history.pushState(null, "", location.pathname + location.search + (open ? RULES_HASH : ""));
}
