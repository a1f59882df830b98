/** Which address shows what. Every page is loaded when it is first opened. */
import { type QueryClient } from "@tanstack/react-query"
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  Outlet,
  redirect,
} from "@tanstack/react-router"
import { type AuditSearch, auditSearch } from "./audit/Search.ts"
import { type CatalogueSearch, catalogueSearch, isKind } from "./catalogue/Search.ts"
import { Failure } from "./Api.ts"
import { makeClient } from "./Client.ts"
import { type DeliverySearch, deliverySearch } from "./deliveries/Search.ts"
import { type OverviewSearch, overviewSearch } from "./overview/Search.ts"
import { lazily } from "./layout/Lazily.ts"
import { Broken, Missing, Waiting } from "./layout/States.tsx"
import { pageSearch } from "./parts/Address.ts"
import { session } from "./session/Session.ts"
import { signUps } from "./session/SignUps.ts"

const BASE = "/dashboard"

interface Context {
  readonly client: QueryClient
}

const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: Missing })

/** Where to go after signing in, and why the reader has to: only a page of this dashboard is taken. */
interface SignInSearch {
  readonly next?: string
  readonly ended?: boolean
}

const signInSearch = ({ next, ended }: Record<string, unknown>): SignInSearch => ({
  ...(typeof next === "string" && next.startsWith(`${BASE}/`) ? { next } : {}),
  ...(ended === true ? { ended } : {}),
})

/** Who comes here with a session has nothing to do here; who is the first of all is led to the set-up. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: signInSearch,
  beforeLoad: async ({ context: { client } }) => {
    if (client.getQueryState(session.queryKey) === undefined) {
      const found = await client.fetchQuery(session).catch(() => null)
      if (found !== null) throw redirect({ to: "/" })
    }
    const state = await client.fetchQuery(signUps).catch(() => null)
    if (state?.first === true) throw redirect({ to: "/sign-up" })
  },
  component: lazily(() => import("./session/SignIn.tsx"), "SignIn"),
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: "/sign-up",
  component: lazily(() => import("./session/SignUp.tsx"), "SignUp"),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: "/reset-password",
  component: lazily(() => import("./session/ResetPassword.tsx"), "ResetPassword"),
})

const loadShell = () => import("./layout/Shell.tsx")

/** Everything that only members see. */
const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  beforeLoad: async ({ context: { client }, location }) => {
    // Who is most likely signed in does not wait for the frame as well.
    void loadShell()
    try {
      await client.ensureQueryData(session)
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 401) throw error
      throw redirect({ to: "/sign-in", search: { next: location.publicHref } })
    }
  },
  component: lazily(loadShell, "Shell"),
})

const home = createRoute({
  getParentRoute: () => shell,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/overview", replace: true })
  },
})

const overview = createRoute({
  getParentRoute: () => shell,
  path: "/overview",
  validateSearch: (search): OverviewSearch => overviewSearch(search),
  component: lazily(() => import("./overview/OverviewPage.tsx"), "OverviewPage"),
})

const apiKeys = createRoute({
  getParentRoute: () => shell,
  path: "/api-keys",
  validateSearch: pageSearch,
  component: lazily(() => import("./api_keys/ApiKeysPage.tsx"), "ApiKeysPage"),
})

const members = createRoute({
  getParentRoute: () => shell,
  path: "/members",
  component: lazily(() => import("./members/MembersPage.tsx"), "MembersPage"),
})

const audit = createRoute({
  getParentRoute: () => shell,
  path: "/audit-log",
  validateSearch: (search): AuditSearch => auditSearch(search),
  component: lazily(() => import("./audit/AuditPage.tsx"), "AuditPage"),
})

const webhookEndpoints = createRoute({
  getParentRoute: () => shell,
  path: "/webhook-endpoints",
  validateSearch: pageSearch,
  component: lazily(() => import("./webhook_endpoints/WebhookEndpointsPage.tsx"), "WebhookEndpointsPage"),
})

const webhookEndpoint = createRoute({
  getParentRoute: () => shell,
  path: "/webhook-endpoints/$id",
  component: lazily(() => import("./webhook_endpoints/WebhookEndpointPage.tsx"), "WebhookEndpointPage"),
})

const deliveries = createRoute({
  getParentRoute: () => shell,
  path: "/deliveries",
  validateSearch: (search): DeliverySearch => deliverySearch(search),
  component: lazily(() => import("./deliveries/DeliveriesPage.tsx"), "DeliveriesPage"),
})

const delivery = createRoute({
  getParentRoute: () => shell,
  path: "/deliveries/$id",
  component: lazily(() => import("./deliveries/DeliveryPage.tsx"), "DeliveryPage"),
})

/** There are pages of so many kinds of records and no more. */
const ofKind = (kind: string): void => {
  if (!isKind(kind)) throw notFound()
}

const catalogue = createRoute({
  getParentRoute: () => shell,
  path: "/catalogue/$kind",
  validateSearch: (search): CatalogueSearch => catalogueSearch(search),
  beforeLoad: ({ params }) => ofKind(params.kind),
  component: lazily(() => import("./catalogue/CataloguePage.tsx"), "CataloguePage"),
})

const record = createRoute({
  getParentRoute: () => shell,
  path: "/catalogue/$kind/$id",
  beforeLoad: ({ params }) => ofKind(params.kind),
  component: lazily(() => import("./catalogue/CataloguePage.tsx"), "RecordPage"),
})

const pages = [
  home,
  overview,
  apiKeys,
  webhookEndpoints,
  webhookEndpoint,
  deliveries,
  delivery,
  members,
  audit,
  catalogue,
  record,
] as const

const tree = root.addChildren([signIn, signUp, resetPassword, shell.addChildren(pages)])

const build = (client: QueryClient) =>
  createRouter({
    routeTree: tree,
    basepath: BASE,
    context: { client },
    defaultPreload: "intent",
    defaultPendingMs: 150,
    defaultPendingMinMs: 200,
    defaultPendingComponent: Waiting,
    defaultErrorComponent: Broken,
    scrollRestoration: true,
  })

/** The router, and the client whose lost session it answers by asking to sign in again. */
export const makeRouter = () => {
  const client = makeClient(() => {
    const { pathname, publicHref } = router.state.location
    if (pathname === "/sign-in") return
    void router.navigate({ to: "/sign-in", search: { next: publicHref, ended: true } }).then(() => client.clear())
  })
  const router = build(client)
  return { router, client }
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof build>
  }
}
