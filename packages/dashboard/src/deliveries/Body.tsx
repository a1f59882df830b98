/** The exact body that every attempt of a delivery sends, made easy to read where that is wanted. */
import { Switch } from "@mantine/core"
import { useMemo, useState } from "react"
import { BlockSection } from "../parts/Block.tsx"

/** The same in lines; what is no JSON stays as it is. */
export const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

export const Body = ({ body }: { body: string | null }) => {
  const [raw, setRaw] = useState(false)
  const text = useMemo(() => (body === null || raw ? body : pretty(body)), [body, raw])
  return (
    <BlockSection
      title="Body"
      text={text}
      none="The event is so old that it was removed, and its body with it."
      {...(body === null ? {} : { copied: body })}
      control={
        <Switch label="Exactly as sent" checked={raw} onChange={({ currentTarget: { checked } }) => setRaw(checked)} />
      }
    />
  )
}
