// Loaded into a server before anything else: its clock is wrong by as many milliseconds as stand in a file, which it
// reads at its start and whenever it gets SIGUSR2. Clocks that only ever go forward, such as performance.now, stay true.
import { readFileSync } from "node:fs"

const file = process.env.WRONG_CLOCK
const read = () => Number(readFileSync(file, "utf8"))
const Right = Date
let error = read()

globalThis.Date = class Date extends Right {
  constructor(...given) {
    super(...(given.length === 0 ? [Right.now() + error] : given))
  }
  static now() {
    return Right.now() + error
  }
}
process.on("SIGUSR2", () => (error = read()))
