/** What most of these tests begin with: a server that Ada owns, her window, a program of hers, and a receiver. */
import { type Api, connect } from "../blackbox/Api.ts"
import * as Receiver from "../blackbox/Receiver.ts"
import * as Server from "../blackbox/Server.ts"
import { admin, launch, open, signIn, type Window } from "./Browser.ts"

export interface Desk {
  readonly server: Server.Server
  readonly receiver: Receiver.Receiver
  /** The REST API, with the key that the server made at its start. */
  readonly api: Api
  readonly ada: Window
  /** A window of somebody who is not signed in. */
  readonly window: () => Promise<Window>
  readonly leave: () => Promise<void>
}

/** `chromium` is where it is; null never happens where the tests are not skipped. */
export const sit = async (chromium: string | null, env: Server.Environment = {}): Promise<Desk> => {
  const server = await Server.start({ TC_STORE: "memory", ...admin, ...env })
  const receiver = await Receiver.listen()
  const browser = await launch(chromium ?? "")
  const window = () => open(browser, server.url)
  const leave = async () => {
    await browser.close()
    receiver.close()
    await server.stop()
  }
  return { server, receiver, api: connect(server.url, server.key), ada: await window(), window, leave }
}

/** The same, with Ada signed in. */
export const signedIn = async (...settings: Parameters<typeof sit>): Promise<Desk> => {
  const desk = await sit(...settings)
  await signIn(desk.ada.page)
  await desk.ada.page.getByRole("heading", { name: "Overview" }).waitFor()
  return desk
}
