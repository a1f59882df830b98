/** How the page looks: its colours, its type, and what every component of a kind has. */
import {
  type BadgeProps,
  type CSSVariablesResolver,
  type DrawerProps,
  type InputWrapperProps,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
  type MenuProps,
  type ModalProps,
  type PasswordInputProps,
  type TableProps,
  type TooltipProps,
} from "@mantine/core"

/** The one accent colour. White on its sixth shade has a contrast of 5.9 to 1. */
const accent: MantineColorsTuple = [
  "#f2f3ff",
  "#e6e8fe",
  "#cbd0fb",
  "#a9b1f7",
  "#8c95f3",
  "#6d76ea",
  "#4f56dd",
  "#4247c2",
  "#373b9f",
  "#2c2f7d",
]

/** Greys with a breath of blue, dark enough apart to tell a card from the page. */
const dark: MantineColorsTuple = [
  "#e4e6eb",
  "#c0c5cf",
  "#a0a7b4",
  "#7d8594",
  "#2e333d",
  "#23272f",
  "#1a1d23",
  "#121418",
  "#0d0f12",
  "#08090b",
]

/** The head of a dialog is no head of the page, which its element would make it. */
const heads = { header: { role: "none" } }

export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: { light: 6, dark: 6 },
  colors: { accent, dark },
  black: "#14161b",
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily: "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  headings: { fontWeight: "600" },
  // As types alone: the components themselves are loaded with the pages that use them.
  components: {
    Badge: { defaultProps: { variant: "light", tt: "none", fw: 500 } satisfies Partial<BadgeProps> },
    Drawer: { defaultProps: { attributes: heads } satisfies Partial<DrawerProps> },
    // Most fields are required: those that are not say so.
    InputWrapper: { defaultProps: { withAsterisk: false } satisfies Partial<InputWrapperProps> },
    // The library's stand-in for the first focus is no item of a menu, and a menu may hold nothing else.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } satisfies Partial<MenuProps> },
    Modal: {
      defaultProps: {
        centered: true,
        padding: "lg",
        radius: "lg",
        attributes: heads,
        overlayProps: { backgroundOpacity: 0.5, blur: 2 },
        transitionProps: { transition: "fade-up", duration: 150 },
      } satisfies Partial<ModalProps>,
    },
    PasswordInput: {
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { "aria-label": "Show the password" },
      } satisfies Partial<PasswordInputProps>,
    },
    Table: {
      defaultProps: {
        verticalSpacing: "sm",
        horizontalSpacing: "md",
        // Lighter than the grey of badges, which would be gone under a pointer.
        highlightOnHoverColor: "var(--tc-side)",
      } satisfies Partial<TableProps>,
    },
    Tooltip: {
      defaultProps: { events: { hover: true, focus: true, touch: true } } satisfies Partial<TooltipProps>,
    },
  },
})

/** What the library draws too faintly for a contrast of 4.5 to 1, or 3 to 1 for the edges of inputs. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#5a6270",
    "--mantine-color-placeholder": "#6b7280",
    "--mantine-color-error": "#c2255c",
    "--mantine-color-teal-light": "#dcf5ec",
    "--mantine-color-teal-light-color": "#0b5c43",
    "--mantine-color-yellow-light": "#fff3d1",
    "--mantine-color-yellow-light-color": "#7a4a00",
    "--mantine-color-red-light": "#ffe5e8",
    "--mantine-color-red-light-color": "#9b1c2e",
    "--tc-ring": "var(--mantine-color-accent-6)",
    "--tc-edge": "#e4e6eb",
    "--tc-input-edge": "#868d9a",
    "--tc-side": "#f7f8fa",
  },
  dark: {
    "--mantine-color-dimmed": "var(--mantine-color-dark-2)",
    "--mantine-color-placeholder": "#8a92a1",
    "--mantine-color-error": "#ff8fa3",
    "--mantine-color-default-border": "#3a404c",
    "--mantine-color-teal-light": "#10322a",
    "--mantine-color-teal-light-color": "#96e6c9",
    "--mantine-color-yellow-light": "#3a2d10",
    "--mantine-color-yellow-light-color": "#ffe09a",
    "--mantine-color-red-light": "#3d1c22",
    "--mantine-color-red-light-color": "#ffc9d0",
    "--mantine-color-accent-light": "#252a55",
    "--mantine-color-accent-light-hover": "#2c3266",
    "--mantine-color-accent-light-color": "#cbd0fb",
    "--tc-ring": "var(--mantine-color-accent-4)",
    "--tc-edge": "#272b33",
    "--tc-input-edge": "#6b7382",
    "--tc-side": "#0d0f12",
  },
})

/** The key is the one that `scheme.js` reads. */
export const schemes = localStorageColorSchemeManager({ key: "tc-color-scheme" })
