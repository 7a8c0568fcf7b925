/**
 * Descriptions of connections whose media go by a cloud (docs/calls.md#agora-engine). They take the place of a browser's: they name the
 * account that sends at the cloud, and no address. The node of the cloud answers a subscriber with the publisher's description.
 */
export interface CloudDescription {
  /** The account's number at the cloud. */
  readonly uid: number;
  /** Whether the connection sends sound and picture, or receives them. */
  readonly sends: boolean;
}

const UID = /^a=cloud-uid:(\d{1,10})\r?$/m;

/** Writes a description with one section for sound and one for the picture. */
export function writeCloudDescription({ uid, sends }: CloudDescription): string {
  const direction = `a=${sends ? "sendonly" : "recvonly"}`;
  return [
    "v=0",
    "o=- 0 0 IN IP4 0.0.0.0",
    "s=cloud",
    "t=0 0",
    `a=fingerprint:cloud ${uid}`,
    `a=cloud-uid:${uid}`,
    "m=audio 9 CLOUD 0",
    direction,
    "m=video 9 CLOUD 0",
    direction,
    "",
  ].join("\r\n");
}

/** @returns the number of the account that a description names; null for a description of a browser */
export function cloudUidOf(sdp: string): number | null {
  const found = UID.exec(sdp)?.[1];
  return found === undefined ? null : Number(found);
}
