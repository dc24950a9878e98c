import { z } from 'zod'
import { LaunchConfig } from './execution-request.ts'
import { ForecastSettings } from './launch-forecast.ts'
import { LaunchSettings } from './launch-settings.ts'

/**
 * What a launch with one agent would be made with, of an objective that chooses nothing itself. Placeholders stay as they are
 * written.
 */
export const PreviewedLaunch = z.strictObject({
  /** As the launch would freeze it. */
  config: LaunchConfig,
  /** What the agent may do, before the bound of a runner. */
  rights: ForecastSettings.shape.rights,
  /** What would come with the claim, of all agents. */
  launchSettings: LaunchSettings,
  /** A runner refuses it until its machine trusts these settings. */
  needsTrust: z.boolean(),
})
export type PreviewedLaunch = z.infer<typeof PreviewedLaunch>
