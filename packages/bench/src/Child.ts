/** A module of this package run as a process of its own, with an event loop and a heap to itself, and asked over IPC. */
import { fork } from "node:child_process"
import { once } from "node:events"

/** What a child module offers: asynchronous functions whose arguments and results can be cloned. */
export type Methods = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>

/** A running child. Calls are asked one at a time. */
export interface Child<M extends Methods> {
  /** Runs one method in the child; rejects with its message when it fails there. */
  readonly call: <K extends keyof M & string>(name: K, ...args: Parameters<M[K]>) => Promise<Awaited<ReturnType<M[K]>>>
  /** Ends the process and waits until it is gone. */
  readonly stop: () => Promise<void>
}

type Answer = { readonly error: string } | { readonly result: never }

/** Starts `module`, which must call `expose`, as a child of this process. */
export const start = <M extends Methods>(module: string): Child<M> => {
  const child = fork(new URL(module, import.meta.url), { serialization: "advanced" })
  const gone = once(child, "exit")
  return {
    call: async (name, ...args) => {
      child.send({ name, args })
      const answer: Answer = await Promise.race([
        once(child, "message").then(([message]) => message),
        gone.then(() => ({ error: `${module} ended` })),
      ])
      if ("error" in answer) throw new Error(answer.error)
      return answer.result
    },
    stop: async () => {
      child.kill()
      await gone
    },
  }
}

/** In the child: offers `methods` to the parent, and ends when the parent is gone. */
export const expose = (methods: Methods): void => {
  process.on("disconnect", () => process.exit())
  process.on("message", ({ name, args }: { name: string; args: never[] }) => {
    const method = methods[name] ?? (() => Promise.reject(new Error(`no method ${name}`)))
    method(...args).then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
    )
  })
}
