/** Takes the focus to what appears in a dialog after it has opened: an answer, or a form that had to be loaded. */
import { type RefObject, useEffect, useRef } from "react"

/** For the `ref` of what is to have the focus as soon as it is there. */
export const useFocus = <A extends HTMLElement>(): RefObject<A | null> => {
  const ref = useRef<A>(null)
  useEffect(() => ref.current?.focus(), [])
  return ref
}
