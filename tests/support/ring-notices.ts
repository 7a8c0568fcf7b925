/** Notifications of rings that a service worker shows, and clicks on their buttons, in tests with a whole Chromium. */
import type { Page, Worker } from "@playwright/test";
import type { Person } from "./people.ts";

/** Title, text and buttons of each notification. */
export const shownRings = (page: Page): Promise<string[][]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration("/");
    return ((await registration?.getNotifications()) ?? []).map((one) => {
      const { actions = [] } = one as { actions?: readonly { title: string }[] };
      return [one.title, one.body, ...actions.map(({ title }) => title)];
    });
  });

/** Clicks a button of the notification. @returns the page that the browser would open */
export async function clickRing(who: Person, url: string, action: string): Promise<string | null> {
  const worker = who.context
    .serviceWorkers()
    .find((one) => one.url() === `${url}/service-worker.js`);
  return (worker as Worker).evaluate(async (chosen) => {
    // The types are those of a page; a worker has this scope instead.
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration;
      clients: { openWindow: (path: string) => Promise<null> };
    };
    let opened: string | null = null;
    // Browsers open windows for clicks of a person alone.
    scope.clients.openWindow = async (path) => {
      opened = path;
      return null;
    };
    const [notification] = await scope.registration.getNotifications();
    let work: Promise<unknown> = Promise.resolve();
    const event = Object.assign(new Event("notificationclick"), {
      action: chosen,
      notification,
      waitUntil(running: Promise<unknown>) {
        work = running;
      },
    });
    dispatchEvent(event);
    await work;
    return opened;
  }, action);
}
