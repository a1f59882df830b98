/** A link to a page of the dashboard, in the looks of the library. */
import { Anchor, type AnchorProps } from "@mantine/core"
import { createLink } from "@tanstack/react-router"
import type { ComponentPropsWithRef } from "react"

type Props = AnchorProps & Omit<ComponentPropsWithRef<"a">, keyof AnchorProps>

const Looks = (props: Props) => <Anchor {...props} />

export const PageLink = createLink(Looks)
