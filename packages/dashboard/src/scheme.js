// Before the first paint: the colour scheme that was chosen in this browser, or the system's. Keep in step with `Theme.ts`.
;(() => {
  let scheme = "auto"
  try {
    scheme = localStorage.getItem("tc-color-scheme") ?? "auto"
  } catch {
    // Storage may be forbidden; the system's scheme is right then.
  }
  if (scheme !== "light" && scheme !== "dark")
    scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
  document.documentElement.dataset.mantineColorScheme = scheme
  document.documentElement.style.colorScheme = scheme
})()
