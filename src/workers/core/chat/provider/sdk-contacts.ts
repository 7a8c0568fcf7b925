/** The provider's calls and events about friends and the block list, for sdk.ts. */
import { z } from "../../../../shared/zod.ts";
import type { ContactCalls, ContactNews } from "./port.ts";

export interface SdkContactMethods {
  addContact(userName: string, message: string): Promise<unknown>;
  acceptContactInvite(userName: string): Promise<unknown>;
  declineContactInvite(userName: string): Promise<unknown>;
  deleteContact(userName: string): Promise<unknown>;
  setContactRemark(options: object): Promise<unknown>;
  getAllContacts(): Promise<unknown>;
  addUsersToBlocklist(options: object): Promise<unknown>;
  removeUserFromBlocklist(options: object): Promise<unknown>;
  getBlocklist(): Promise<unknown>;
}

const namesSchema = z.object({ data: z.array(z.string()) });
const contactsSchema = z.object({
  data: z.array(z.object({ userId: z.string(), remark: z.string().nullish().catch(null) })),
});
const newsSchema = z.object({ from: z.string(), to: z.string() });

/** The SDK's handlers, with what each is about. */
const HANDLERS = {
  onContactInvited: "asked",
  onContactAgreed: "agreed",
  onContactAdded: "added",
  onContactRefuse: "refused",
  onContactDeleted: "ended",
} as const satisfies Readonly<Record<string, ContactNews["kind"]>>;

/** Handlers for the SDK. @param bad an event could not be understood */
export function contactHandlers(events: {
  readonly contact: (news: ContactNews) => void;
  readonly bad: (what: string) => void;
}): Record<string, (event: unknown) => void> {
  return Object.fromEntries(
    Object.entries(HANDLERS).map(([handler, kind]) => [
      handler,
      (event: unknown): void => {
        const parsed = newsSchema.safeParse(event);
        if (parsed.success) events.contact({ kind, ...parsed.data });
        else events.bad("a contact event could not be understood");
      },
    ]),
  );
}

export function createContactCalls(
  conn: SdkContactMethods,
  /** Makes any rejection a ChatFailure. */
  guard: <T>(run: () => Promise<T>) => Promise<T>,
): ContactCalls {
  const done = (run: () => Promise<unknown>): Promise<void> =>
    guard(async () => {
      await run();
    });
  return {
    ask: (userName, message) => done(() => conn.addContact(userName, message)),
    answer: (userName, accept) =>
      done(() =>
        accept ? conn.acceptContactInvite(userName) : conn.declineContactInvite(userName),
      ),
    end: (userName) => done(() => conn.deleteContact(userName)),
    remark: (userId, remark) => done(() => conn.setContactRemark({ userId, remark })),
    remarks: () =>
      guard(async () => {
        const { data } = contactsSchema.parse(await conn.getAllContacts());
        return new Map(data.map(({ userId, remark }) => [userId, remark ?? ""]));
      }),
    block: (name, blocked) =>
      done(() =>
        blocked
          ? conn.addUsersToBlocklist({ name: [name] })
          : conn.removeUserFromBlocklist({ name: [name] }),
      ),
    blocked: () => guard(async () => namesSchema.parse(await conn.getBlocklist()).data),
  };
}
