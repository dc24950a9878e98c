/** Loaded before anything else by a process and by all that it starts: the mistake is in each of them. */
import { type Mistake, plant } from '../model/plant.ts'

const given = process.env['SVC_TEST_MISTAKE']
// written by the soak test, from the same source
if (given !== undefined) plant(JSON.parse(given) as Mistake)
