/** Names of the systems (docs/session.md#systems), apart from the schema of the configuration, which the login does not load. */

/** Header `systemName`. */
export const SYSTEM_HEADER_VALUE = "sec-web-company-admin";
export const SYSTEM_NAMES = [
  "sec-web-company-admin",
  "sec-web-property-admin",
  "sec-web-oa",
  "sec-web-admin",
] as const;
export type SystemName = (typeof SYSTEM_NAMES)[number];
