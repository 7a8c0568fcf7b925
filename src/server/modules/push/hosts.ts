/**
 * Where pushes may go. A browser names the address, so the server would otherwise make requests to any host that a client chooses.
 */

/** Push services of Chrome and Edge on Android and desktop, Firefox, Edge on Windows, and Safari. */
const SERVICES = [
  /^fcm\.googleapis\.com$/,
  /^[\w-]+\.push\.services\.mozilla\.com$/,
  /^[\w-]+\.notify\.windows\.com$/,
  /^[\w-]+\.push\.apple\.com$/,
];

/** @param origins further origins, from the configuration */
export function mayPushTo(endpoint: string, origins: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const url = new URL(endpoint);
  if (url.username !== "" || url.password !== "") return false;
  if (origins.includes(url.origin)) return true;
  // An empty port is the usual one of https.
  return (
    url.protocol === "https:" &&
    url.port === "" &&
    SERVICES.some((service) => service.test(url.hostname))
  );
}
