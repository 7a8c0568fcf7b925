import { z } from "../../zod.ts";
import { blobSchema } from "../blob.ts";
import { pageSchema } from "../rest/call.ts";
import { chatUserNameSchema, contactSchema } from "../rest/entities.ts";
import { contactDepartmentSchema } from "../rest/im.ts";
import { fileNameSchema } from "../rest/files.ts";
import { licenceReadCall, licenceSendCall } from "../rest/licences.ts";
import { command, done, inCompany, none, page } from "./command.ts";

/** Files of the company (docs/session.md#files). */
export const filesCommands = {
  read: inCompany(command(z.object({ fileName: fileNameSchema }), blobSchema)),
  /** A guest's picture of a business licence, for the registration of a company. */
  sendLicence: command(
    z.object({ file: blobSchema, name: z.string().min(1).max(255) }),
    licenceSendCall.data,
  ),
  /** The licence picture of an application that waits for the platform's decision. */
  readLicence: inCompany(command(licenceReadCall.query, blobSchema)),
  /** The person's own picture; null removes it. */
  setAvatar: command(z.object({ picture: blobSchema.nullable() }), done),
  /** The picture of a person, by its name or by the chat user name; null: there is none that this person may see. */
  avatar: command(
    z.union([z.object({ name: fileNameSchema }), z.object({ userName: chatUserNameSchema })]),
    blobSchema.nullable(),
  ),
} as const;

const key = z.string().min(1).max(64);
/** The queue of uploads of all tabs (docs/session.md#uploads). The slice `uploads` shows them by their keys. */
export const uploadsCommands = {
  /**
   * Puts a file of the company into the queue. Resolves when the file is kept, so that the tab may close. A key that is known already
   * begins nothing.
   */
  start: inCompany(
    command(
      z.object({
        key,
        file: blobSchema,
        name: z.string().min(1).max(255),
        /** Whether it goes on without its tab. */
        survives: z.boolean().default(true),
      }),
      done,
    ),
  ),
  /** Ends an upload, or forgets one that is over; false when there is none with this key. */
  cancel: command(z.object({ key }), z.boolean()),
  /** Begins a failed upload again, and a paused one at once; false when there is none with this key. */
  retry: command(z.object({ key }), z.boolean()),
  /** Forgets those that are over. */
  clear: command(none, done),
} as const;

export const peopleCommands = {
  list: inCompany(
    command(
      /** `departmentId`: only the people of this department. */
      page.extend({ departmentId: contactDepartmentSchema.shape.id.optional() }),
      pageSchema(contactSchema),
    ),
  ),
} as const;
