/** A console sends records of quality about a conference, as a client of the platform's library does (docs/conferences.md#settings). */
import {
  CONFERENCE_PAGE,
  createConference,
  expectPictures,
  joinFromLobby,
} from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { storedQuality } from "../support/quality.ts";

test("The enter, the streams and the events of a conference are stored", async ({
  people,
  server,
}) => {
  const at = { path: CONFERENCE_PAGE };
  const host = (await people.loggedIn("admin", at)).pages[0]!;
  const guest = (await people.loggedIn("lina", at)).pages[0]!;
  const confrId = await createConference(host, "质量记录");
  await joinFromLobby(guest, "质量记录");
  await expectPictures(host, ["lina"]);
  const upload = () =>
    host.evaluate(() => {
      const { upload: state, streams } = globalThis.consoleCore.state.quality;
      return { state, streams: Object.keys(streams).length > 0 };
    });
  await expect.poll(upload).toEqual({ state: "open", streams: true });
  for (const page of [host, guest]) {
    await page.evaluate(() => globalThis.consoleCore.commands.conference.exit({ close: false }));
  }
  // The server stores what it has before it ends. A page may load a part of itself at that moment.
  people.expectComplaints(/ERR_CONNECTION_REFUSED/);
  await server.kill();
  expect(await storedQuality(server, confrId)).toEqual([0, 1, 2]);
  await server.start();
});
