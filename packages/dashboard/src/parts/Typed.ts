/** Fields whose value stands in the address: somebody types on before it is there, and may go back to another. */
import { useEffect, useRef } from "react"

/** To be told what was typed, as the address will have it. `onOther` is told of a value that comes from elsewhere. */
export const useTyped = (value: string, onOther: (value: string) => void) => {
  const typed = useRef(value)
  useEffect(() => {
    if (value === typed.current) return
    typed.current = value
    onOther(value)
  }, [value, onOther])
  return (next: string): void => {
    typed.current = next
  }
}
