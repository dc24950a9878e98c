import type { Role, TokenPreset } from '@svc/contracts/permissions'

export interface TokenOrder {
  /** Somebody new when left out, so that no test uses up what another one may ask for. */
  person?: string
  workspace?: string
  role?: Role
  preset?: TokenPreset
}

let named = 0

export function newPerson(): string {
  named += 1
  return `person-${named}`
}
