/** Every size and count the service bounds, each with its unit in its name. Documented in `docs/limits.md`. */

/** Records on a page of a list when the caller names no number. */
export const PER_PAGE_DEFAULT = 20
/** Records on a page at most; a larger `per_page` is served as this. */
export const PER_PAGE_MAX = 100
/** The last page that can be asked for. */
export const PAGE_MAX = 1_000_000_000
/** Code points of a `name`, at least one. */
export const NAME_MAX_CHARACTERS = 255
/** Code points of a short text: tokens, categories, external ids. */
export const LABEL_MAX_CHARACTERS = 255
/** Code points of a long text: descriptions. */
export const TEXT_MAX_CHARACTERS = 65_535
/** UTF-16 code units of a URL. */
export const URL_MAX_CHARACTERS = 2_048
/** Code points of a store's platform. */
export const PLATFORM_MAX_CHARACTERS = 64
/** Pixels of a print area's side, at least one. */
export const PIXELS_MAX = 100_000
/** The highest display position. Print areas that come after the one that has it share it, and their order. */
export const POSITION_MAX = 1_000_000
/** Arrays and objects inside each other in a free-form JSON field. */
export const JSON_MAX_DEPTH = 100
/** Code points of an e-mail address. */
export const EMAIL_MAX_CHARACTERS = 254
/** Code points of a password, at least and at most. */
export const PASSWORD_MIN_CHARACTERS = 12
export const PASSWORD_MAX_CHARACTERS = 200
/** How many of them differ at least. */
export const PASSWORD_MIN_DISTINCT = 5
/** Bytes of a request body. */
export const BODY_MAX_BYTES = 10 * 1024 * 1024
/** Bytes of a request body in the dashboard, which reads some before it knows whose they are. */
export const DASHBOARD_BODY_MAX_BYTES = 64 * 1024
/** Bytes of a record as JSON. A body may say in few characters what takes many, such as `1e20`, and a PATCH adds to a record. */
export const RECORD_MAX_BYTES = 12 * 1024 * 1024
/** Bytes of free-form JSON on one page of a list: five of the largest records. */
export const LIST_MAX_BYTES = 64 * 1024 * 1024
/** Deliveries in a second that an endpoint can be limited to at most, at least one. */
export const MAX_PER_SECOND_MAX = 1_000
/** Bytes of a receiver's answer that are kept with an attempt. */
export const RESPONSE_EXCERPT_MAX_BYTES = 16 * 1024
/** Seconds for which a secret that is replaced signs beside the new one: when the caller names no number, and at most. */
export const OVERLAP_DEFAULT_SECONDS = 24 * 60 * 60
export const OVERLAP_MAX_SECONDS = 7 * 24 * 60 * 60
/** Secrets of one endpoint that sign at the same time. */
export const SIGNING_SECRETS_MAX = 10
/** What an endpoint was before its latest changes of URL or secret, for the headers of attempts: the oldest is forgotten. */
export const FORMER_SETTINGS_MAX = 100
/** Sessions of one member that are open at the same time; another ends the oldest. */
export const SESSIONS_MAX = 20
/** API keys of one account that programs can use at the same time. */
export const API_KEYS_MAX = 100
/** Invitations of one account that can be accepted at the same time. */
export const INVITATIONS_MAX = 100
