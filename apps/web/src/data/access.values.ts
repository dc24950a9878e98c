import { Role, TokenPreset, presetPermissions as ofPresets } from '@svc/contracts/permissions'
import { mostTokenDays as inAnyWorkspace } from '@svc/contracts/workspace'

// What the page of access needs of the contracts, apart from what every page does: the build runs this file.

/** Each may do all that those after it may. */
export const roles = Role.options
export const tokenPresets = TokenPreset.options
export const presetPermissions = ofPresets
export const mostTokenDays = inAnyWorkspace
