/** A module of this package run as a process of its own, with an event loop and a heap to itself, and asked over IPC. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"

/** What a child module offers: asynchronous functions whose arguments and results can be cloned. */
export type Methods = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>

/** A running child. */
export interface Child<M extends Methods> {
  /** Runs one method in the child; rejects with its message when it fails there, or when the child ends. */
  readonly call: <K extends keyof M & string>(name: K, ...args: Parameters<M[K]>) => Promise<Awaited<ReturnType<M[K]>>>
  /** Ends the process, by SIGTERM unless told otherwise, and waits until it is gone. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
}

type Answer = { readonly id: number } & ({ readonly error: string } | { readonly result: never })

const running = new Set<ChildProcess>()

/** Ends every child of this process at once; what is asked of them rejects. */
export const killAll = (): void => {
  for (const child of running) child.kill("SIGKILL")
}

/** Starts `module`, which must call `expose`, as a child of this process; what it prints goes to the standard error. */
export const start = <M extends Methods>(module: string): Child<M> => {
  const child = fork(new URL(module, import.meta.url), {
    serialization: "advanced",
    stdio: ["ignore", process.stderr, process.stderr, "ipc"],
  })
  const asked = new Map<number, (answer: Answer) => void>()
  const gone = once(child, "exit")
  running.add(child)
  child.on("exit", () => {
    running.delete(child)
    for (const [id, answer] of asked) answer({ id, error: `${module} ended` })
  })
  let last = 0
  child.on("message", (answer: Answer) => asked.get(answer.id)?.(answer))
  return {
    call: async (name, ...args) => {
      const id = (last += 1)
      const answer = await new Promise<Answer>((resolve) => {
        asked.set(id, resolve)
        if (child.connected) child.send({ id, name, args })
        else resolve({ id, error: `${module} has ended` })
      })
      asked.delete(id)
      if ("error" in answer) throw new Error(answer.error)
      return answer.result
    },
    stop: async (signal) => {
      child.kill(signal)
      await gone
    },
  }
}

/** In the child: offers `methods` to the parent, and ends when the parent is gone. */
export const expose = (methods: Methods): void => {
  process.on("disconnect", () => process.exit())
  process.on("message", ({ id, name, args }: { id: number; name: string; args: never[] }) => {
    const method = methods[name] ?? (() => Promise.reject(new Error(`no method ${name}`)))
    method(...args).then(
      (result) => process.send?.({ id, result }),
      (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.message : String(error) }),
    )
  })
}
