// Dark or light: the choice of the reader, else of the system.

export type Theme = "auto" | "light" | "dark";
const KEY = "tablewright-theme";

function stored(): Theme {
  try {
    const found = localStorage.getItem(KEY);
    return found === "light" || found === "dark" ? found : "auto";
  } catch {
    return "auto";
  }
}

export const theme = $state({ chosen: stored(), changes: 0 });

export function isDark(): boolean {
  return theme.chosen === "dark" || (theme.chosen === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
}

export function applyTheme(): void {
  document.documentElement.dataset.mode = isDark() ? "dark" : "light";
  theme.changes += 1;
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);

export function switchTheme(): void {
  theme.chosen = isDark() ? "light" : "dark";
  try {
    localStorage.setItem(KEY, theme.chosen);
  } catch {
    // without storage the choice lasts until a reload
  }
  applyTheme();
}
