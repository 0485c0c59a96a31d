// JSON objects in the browser's local storage.

/** Returns the object stored under a key, or {} if there is none, it is damaged, or storage is forbidden. */
export function load<T extends object>(key: string): Partial<T> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

export function save(key: string, value: object): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage the value lasts as long as the page.
  }
}
