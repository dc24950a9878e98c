import type { TokenPreset } from '@svc/contracts/permissions'
import { tokenPresets } from '../../data/access.values.ts'

/** What an address asks to be made, as the steps of the service name it: `?do=create&label=laptop&preset=runner`. */
export interface AskedToken {
  label: string
  preset: TokenPreset | undefined
}

export function readAsked(search: URLSearchParams): AskedToken | undefined {
  if (search.get('do') !== 'create') return undefined
  return {
    label: search.get('label') ?? '',
    preset: tokenPresets.find((preset) => preset === search.get('preset')),
  }
}
