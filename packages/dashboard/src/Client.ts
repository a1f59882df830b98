/** What has been asked of the server is kept here, and one place decides what a failure means for the whole page. */
import {
  type Mutation,
  type QueryKey,
  MutationCache,
  QueryCache,
  QueryClient,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query"
import { notifications } from "@mantine/notifications"
import { Failure } from "./Api.ts"

/** Whether asking again may help: the network or the server was at fault, not the question. */
export const passes = (error: Error | null): boolean =>
  error instanceof Failure && (error.status === 0 || error.status >= 500)

/** Milliseconds after which a server that did not answer is asked again. */
const AGAIN_MS = 5_000

/** What is asked once, and again only where there was no answer. */
export const whenPassed = ({ state: { error } }: { readonly state: { readonly error: Error | null } }) =>
  passes(error) && AGAIN_MS

/** A client that calls `ended` when the server no longer knows the session. */
export const makeClient = (ended: () => void): QueryClient => {
  const watch = (error: Error): void => {
    if (error instanceof Failure && error.code === "not_signed_in") ended()
  }
  return new QueryClient({
    queryCache: new QueryCache({
      // Nobody was signed in before the first answer, so that no session has ended: the routes lead to the sign-in.
      onError: (error, query) => {
        if (query.queryKey[0] !== "session" || query.state.data !== undefined) watch(error)
      },
    }),
    mutationCache: new MutationCache({ onError: watch }),
    defaultOptions: {
      // Without a network a change fails at once: it would hold its dialog open for as long as there is none.
      mutations: { networkMode: "always" },
      queries: {
        // The same for what is read: an outline with no end says nothing.
        networkMode: "always",
        refetchOnReconnect: true,
        staleTime: 30_000,
        retry: (count, error) => count < 2 && passes(error),
        // Whoever waits for the server need not ask again and again.
        refetchInterval: whenPassed,
        throwOnError: false,
      },
    },
  })
}

interface Options<Input, Output> {
  /** What has to be asked again after it. */
  readonly stale: ReadonlyArray<QueryKey>
  /** What the reader is told once it is made. */
  readonly said?: (output: Output, input: Input) => string
  /** Whether somebody may go before it is known what came of it. */
  readonly leavable?: boolean
}

/** Whether a change is under way of which it has to be known what came. */
export const isHolding = ({ state, meta }: Mutation): boolean =>
  state.status === "pending" && meta?.["leavable"] !== true

/** A change that the reader makes. */
export const useChange = <Input, Output>(
  change: (input: Input) => Promise<Output>,
  { stale, said, leavable = false }: Options<Input, Output>,
) => {
  const client = useQueryClient()
  return useMutation<Output, Error, Input>({
    mutationFn: change,
    meta: { leavable },
    onSuccess: async (output, input) => {
      if (said !== undefined)
        notifications.show({
          message: said(output, input),
          role: "status",
          closeButtonProps: { "aria-label": "Dismiss" },
        })
      await Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}
