/** Free-form JSON in lines, with a button that copies all of it. */
import { useMemo } from "react"
import { BlockSection } from "./Block.tsx"

export const Json = ({ title, value }: { title: string; value: object }) => {
  const text = useMemo(() => (Object.keys(value).length === 0 ? null : JSON.stringify(value, null, 2)), [value])
  return <BlockSection title={title} text={text} none="There is none." />
}
