/** Addresses of chat files (docs/chat.md#files). */
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import type { UploadedFile } from "./port.ts";

/** The address at which the file can be read, in the form that the SDK gives to the receiver. */
export const readAddress = ({ url, secret }: UploadedFile): string =>
  `${url}?em-redirect=true&share-secret=${encodeURIComponent(secret)}`;

/** The uploaded file at such an address; null for an address of another form. */
export function uploadedAt(address: string): UploadedFile | null {
  if (!URL.canParse(address)) return null;
  const { origin, pathname, searchParams } = new URL(address);
  const secret = searchParams.get("share-secret");
  return secret === null ? null : { url: origin + pathname, secret };
}

/**
 * The address of the smaller picture that the sender's client added. Without one the server answers with the picture itself, and for
 * a film with nothing.
 */
export function thumbOf(type: ChatMessage["type"], address: string): string | null {
  if (type === "img") return `${address}&thumbnail=true`;
  return type === "video" ? `${address}&vframe=true` : null;
}
