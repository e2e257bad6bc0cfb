// Starts what the page needs. Modules listen on the document, so parts that htmx swaps in need no second start.

import "./history.js";
import "./sheet.js";
import "./form.js";
import "./chart.js";
import "./whatif.js";
import "./pictures.js";
import "./board.js";
import "./beside.js";
import "./share.js";
import "./dice.js";
import "./rolls.js";
import "./rules.js";
import "./take.js";
import "./units.js";
import "./own.js";
import "./pins.js";
import "./lineup.js";
import "./more.js";
import "./print.js";
import { keepContext, showRecent } from "./recent.js";

showRecent();
keepContext();
document.addEventListener("htmx:afterSettle", keepContext);
