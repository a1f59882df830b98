/** A window above the page. What it shows is built anew each time it opens; a click beside it loses nothing. */
import { Modal } from "@mantine/core"
import { type ReactNode, useLayoutEffect, useRef, useState } from "react"

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

/** Where the focus was; an item of a menu is gone by the time a dialog closes, and what opened the menu stands for it. */
const opener = (): Element | null => {
  const menu = document.activeElement?.closest("[role=menu]")
  return menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : document.activeElement
}

/** Gives the focus back to what opened the dialog, or to the page's title where the dialog has removed that. */
const useReturn = (opened: boolean): (() => void) => {
  const before = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (opened) before.current = opener()
  }, [opened])
  return () => {
    const kept = before.current instanceof HTMLElement && before.current.isConnected ? before.current : null
    const target = kept === document.body ? null : kept
    ;(target ?? document.querySelector<HTMLElement>("h1"))?.focus({ preventScroll: true })
  }
}

export const Dialog = ({ opened, title, onClose, held = false, wide = false, children }: Props) => {
  const giveBack = useReturn(opened)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={wide ? "lg" : "md"}
      closeOnClickOutside={false}
      closeOnEscape={!held}
      withCloseButton={!held}
      returnFocus={false}
      onExitTransitionEnd={giveBack}
    >
      {children}
    </Modal>
  )
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
