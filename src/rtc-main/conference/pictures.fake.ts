/** Fake of the browser's pictures: remembers what was changed and taken. */
import { FakeTrack } from "../media/devices.fake.ts";
import type { ChangedPicture, PictureSettings, PicturesPort } from "./pictures.ts";

export interface FakePicture {
  readonly source: MediaStreamTrack;
  readonly track: FakeTrack;
  settings: PictureSettings;
  closed: boolean;
}

export class FakePictures implements PicturesPort {
  readonly made: FakePicture[] = [];
  readonly taken: { readonly track: MediaStreamTrack; readonly photo: boolean }[] = [];
  change(source: MediaStreamTrack, settings: PictureSettings): ChangedPicture {
    const track = new FakeTrack("video", "changed picture");
    const picture: FakePicture = { source, track, settings, closed: false };
    this.made.push(picture);
    return {
      track: track as unknown as MediaStreamTrack,
      set: (next) => void (picture.settings = next),
      close() {
        picture.closed = true;
        track.stop();
      },
    };
  }
  picture(track: MediaStreamTrack, photo: boolean): Promise<string> {
    this.taken.push({ track, photo });
    return Promise.resolve("data:image/jpeg;base64,/9j/AA==");
  }
}
