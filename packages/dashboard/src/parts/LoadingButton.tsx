/** A button whose work takes time: it is disabled meanwhile, and has the focus again afterwards. */
import { Button, type ButtonProps } from "@mantine/core"
import { type ComponentProps, useLayoutEffect, useRef } from "react"

type Props = ButtonProps & Omit<ComponentProps<"button">, keyof ButtonProps | "ref"> & { readonly loading: boolean }

export const LoadingButton = ({ loading, ...props }: Props) => {
  const ref = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    // The browser takes the focus from what is disabled, though not at once.
    if (loading) hadFocus.current = document.activeElement === ref.current
    else if (hadFocus.current && document.activeElement === document.body) ref.current?.focus()
  }, [loading])
  return <Button {...props} ref={ref} loading={loading} />
}
