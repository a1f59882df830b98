/** Puts the page together and draws it. */
import "./Styles.ts"
import { MantineProvider } from "@mantine/core"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { setNonce } from "get-nonce"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { makeRouter } from "./Routes.tsx"
import { schemes, theme, variables } from "./Theme.ts"

// The page's policy lets in only those style elements that carry the nonce of this answer.
const nonce = document.querySelector<HTMLMetaElement>("meta[name=csp-nonce]")?.content ?? ""
setNonce(nonce)

const { router, client } = makeRouter()
const root = document.querySelector("#root")

if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        colorSchemeManager={schemes}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
