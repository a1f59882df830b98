/**
 * A window above the page. What it shows is built anew each time it opens; a click beside it loses nothing, nor does Escape once
 * something was entered, and nothing closes it while a change is under way, whose answer it may have to show.
 */
import { Modal } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from "react"
import { isHolding } from "../Client.ts"

interface Props {
  readonly opened: boolean
  readonly title: string
  readonly onClose: () => void
  /** What it shows cannot be seen again, so that only its own button closes it. */
  readonly held?: boolean
  /** Whether it has room for a form of many fields. */
  readonly wide?: boolean
  readonly children: ReactNode
}

/** Where the focus is; an item of a menu is gone by the time a dialog closes, and what opened the menu stands for it. */
const opener = (): Element | null => {
  const menu = document.activeElement?.closest("[role=menu]")
  return menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : document.activeElement
}

/** Gives the focus back to what opened the dialog, or to the page's title where the dialog has removed that. */
const useReturn = (opened: boolean): (() => void) => {
  const [before, setBefore] = useState<Element | null>(null)
  const [wasOpened, setWasOpened] = useState(false)
  // While it is rendered the page is as it was: after that the menu may be gone.
  if (opened !== wasOpened) {
    setWasOpened(opened)
    if (opened) setBefore(opener())
  }
  return () => {
    const kept = before instanceof HTMLElement && before.isConnected ? before : null
    const target = kept === document.body ? null : kept
    ;(target ?? document.querySelector<HTMLElement>("h1"))?.focus({ preventScroll: true })
  }
}

/** Whether something was entered that is not sent yet, how that is told, and how it is over. */
const useTouched = () => {
  const client = useQueryClient()
  const [touched, setTouched] = useState(false)
  useEffect(
    () =>
      client.getMutationCache().subscribe(({ mutation }) => {
        if (mutation?.state.status === "success") setTouched(false)
      }),
    [client],
  )
  return [touched, () => setTouched(true), () => setTouched(false)] as const
}

/** Whether a change is under way, of which it is not known yet what came. */
const useBusy = (): boolean => {
  const client = useQueryClient()
  const subscribe = useCallback((changed: () => void) => client.getMutationCache().subscribe(changed), [client])
  return useSyncExternalStore(subscribe, () => client.isMutating({ predicate: isHolding }) > 0)
}

export const Dialog = ({ opened, title, onClose, held = false, wide = false, children }: Props) => {
  const giveBack = useReturn(opened)
  const busy = useBusy()
  const [touched, touch, forget] = useTouched()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={wide ? "lg" : "md"}
      closeOnClickOutside={false}
      closeOnEscape={!held && !busy && !touched}
      withCloseButton={!held}
      closeButtonProps={{ "aria-label": "Close", disabled: busy }}
      returnFocus={false}
      onExitTransitionEnd={() => {
        forget()
        giveBack()
      }}
    >
      <div onChangeCapture={touch}>{children}</div>
    </Modal>
  )
}

/**
 * What a dialog has to show once it was sent, null before. It is there while the dialog fades out, and forgotten when that
 * opens again: the next may be about somebody else.
 */
export const useAnswer = <A,>(opened: boolean) => {
  const [answer, setAnswer] = useState<A | null>(null)
  const [wasOpened, setWasOpened] = useState(opened)
  if (opened !== wasOpened) {
    setWasOpened(opened)
    if (opened) setAnswer(null)
  }
  return [answer, setAnswer] as const
}

/** A dialog about one thing. The thing is kept while the dialog fades out, which would go blank otherwise. */
export const useSubject = <A,>() => {
  const [opened, setOpened] = useState(false)
  const [subject, setSubject] = useState<A | null>(null)
  return {
    opened,
    subject,
    open: (next: A) => {
      setSubject(next)
      setOpened(true)
    },
    close: () => setOpened(false),
  }
}
