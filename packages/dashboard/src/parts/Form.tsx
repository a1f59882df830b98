/** A form that sends a change. Who sends it with something wrong in it is taken to the first field that is. */
import type { UseFormReturnType } from "@mantine/form"
import type { UseMutationResult } from "@tanstack/react-query"
import { type ReactNode, type SyntheticEvent, useRef } from "react"
import { fieldErrors } from "./Problem.tsx"

interface Props<Input, Output> {
  readonly form: Pick<UseFormReturnType<Input>, "onSubmit" | "setErrors">
  readonly change: UseMutationResult<Output, Error, Input>
  readonly onSent: (output: Output) => void
  /** The server's errors by the form's fields, where these have other names than the server's. */
  readonly errorsOf?: (error: Error) => Record<string, string>
  readonly children: ReactNode
}

type Sent = SyntheticEvent<HTMLFormElement> | undefined

/** The fields are marked once the errors are drawn. */
const toFirst = (element: HTMLFormElement | undefined): void => {
  requestAnimationFrame(() => {
    const first = element?.querySelector<HTMLElement>("[aria-invalid=true]")
    // A group of fields is no field itself.
    ;(first?.querySelector<HTMLElement>("input:checked") ?? first)?.focus()
  })
}

export const Form = <Input, Output>(props: Props<Input, Output>) => {
  const { form, change, onSent, errorsOf = fieldErrors, children } = props
  /** Two clicks may come before anything is drawn anew. */
  const sending = useRef(false)
  const send = (input: Input, event: Sent) => {
    if (sending.current) return
    sending.current = true
    const element = event?.currentTarget
    change.mutate(input, {
      onSettled: () => {
        sending.current = false
      },
      onSuccess: onSent,
      onError: (error) => {
        form.setErrors(errorsOf(error))
        toFirst(element)
      },
    })
  }
  const submit = (event: SyntheticEvent<HTMLFormElement>) =>
    form.onSubmit(send, (_errors, _input, event) => toFirst(event?.currentTarget))(event)
  return (
    <form onSubmit={submit} noValidate>
      {children}
    </form>
  )
}
