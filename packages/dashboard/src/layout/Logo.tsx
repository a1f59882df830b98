/** The sign of tc. */
import icon from "../icon.svg"

export const Logo = ({ size = 24 }: { size?: number }) => <img src={icon} width={size} height={size} alt="" />
