/** A URL that somebody else gave, to be opened apart from this page; as text where it does not lead to the web. */
import { Anchor } from "@mantine/core"

const isWeb = (url: string): boolean => URL.canParse(url) && /^https?:$/u.test(new URL(url).protocol)

export const OuterLink = ({ url }: { url: string }) =>
  isWeb(url) ? (
    <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm" className="mono">
      {url}
    </Anchor>
  ) : (
    <span className="mono">{url}</span>
  )
