/** Says that what is shown is not up to date, while the server does not answer. */
import { Affix, Paper, Text } from "@mantine/core"
import { notifyManager, type Query, useQueryClient } from "@tanstack/react-query"
import { useCallback, useSyncExternalStore } from "react"
import { passes } from "../Client.ts"

/** Tries in a row that got no answer, after which that is said: one alone may be a chance. */
const TRIES = 2

/** Whether somebody looks at an answer that could not be had anew. */
const isBehind = (query: Query): boolean => {
  const { status, data, error, fetchFailureCount, fetchFailureReason } = query.state
  const failed = status === "error" ? error : fetchFailureCount >= TRIES ? fetchFailureReason : null
  return query.isActive() && data !== undefined && passes(failed)
}

/** When the oldest of them came, in milliseconds since 1970; infinite where there is none. */
const useSince = (): number => {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback((changed: () => void) => cache.subscribe(notifyManager.batchCalls(changed)), [cache])
  const oldest = () => Math.min(...cache.findAll({ predicate: isBehind }).map(({ state }) => state.dataUpdatedAt))
  return useSyncExternalStore(subscribe, oldest)
}

const time = new Intl.DateTimeFormat("en", { timeStyle: "medium", hourCycle: "h23" })

export const Behind = () => {
  const since = useSince()
  return (
    <Affix position={{ bottom: 16, left: 16, right: 16 }} className="behind" role="status">
      {since !== Infinity && (
        <Paper shadow="md" withBorder px="md" py="xs">
          <Text size="sm">The server does not answer. This is how things were at {time.format(since)}.</Text>
        </Paper>
      )}
    </Affix>
  )
}
