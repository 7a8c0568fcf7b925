/** The OPS_LISTEN setting. In a file of its own because the configuration reads it, and operations.ts stands on the configuration. */
/** Address of the operations server, from OPS_LISTEN. */
export interface OpsAddress {
  readonly host: string;
  readonly port: number;
}

/** @returns null when the text is neither a port nor an address with a port */
export function parseOpsAddress(text: string): OpsAddress | null {
  const match = /^(?:(\[[0-9a-f:.]+\]|[a-z0-9.-]+):)?(\d{1,5})$/i.exec(text);
  const port = Number(match?.[2]);
  if (match === null || port > 65_535) return null;
  return { host: (match[1] ?? "127.0.0.1").replaceAll(/[[\]]/g, ""), port };
}
