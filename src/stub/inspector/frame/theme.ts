/** `auto` follows the system. */
export const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const key = "understudy-theme";

/** The stored choice; `auto` without one, or where the browser refuses storage. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return themes.find((theme) => theme === stored) ?? "auto";
  } catch {
    return "auto";
  }
}

/** Shows the page in a theme. style.css does the rest. */
export function showTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
}

/** Shows a theme and keeps it for this browser. Without storage it holds until the page is closed: then false. */
export function storeTheme(theme: Theme): boolean {
  showTheme(theme);
  try {
    localStorage.setItem(key, theme);
    return true;
  } catch {
    return false;
  }
}
