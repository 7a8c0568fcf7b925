/** The same over the engine `native`. */
import { groupContract } from "./group-contract.ts";

groupContract("native");
