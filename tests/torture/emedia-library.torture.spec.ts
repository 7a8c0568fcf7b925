/** This project's own library through the steps that the package easemob-emedia goes through in `npm test`. */
import { test } from "../emedia/fixtures.ts";
import { joiningSteps } from "../emedia/steps/joining.ts";
import { managingSteps } from "../emedia/steps/managing.ts";
import { mediaSteps } from "../emedia/steps/media.ts";

test.use({ client: "library" });

joiningSteps();
managingSteps();
mediaSteps();
