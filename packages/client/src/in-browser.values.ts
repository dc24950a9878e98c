import { feedEvents as events, feedPaths as paths } from '@svc/contracts/feed'
import type { RouteName } from '@svc/contracts/rest'
import { restContracts } from '@svc/contracts/rest'
import { steps } from '@svc/contracts/steps'
import { version as ours, versionHeader as header } from '@svc/contracts/version'
import { type Places, placesOf } from './request.ts'

// What a browser needs of the contracts, as data: the build of the web app runs this file, and loads none of them.

export const feedEvents = Object.keys(events)
export const feedPaths = paths
export const version = ours
export const versionHeader = header
export const stepNames = Object.keys(steps)

// the entries of the contracts under the same keys; Object.fromEntries only says string
export const endpoints = Object.fromEntries(
  Object.entries(restContracts).map(([name, contract]) => [name, placesOf(contract)]),
) as Readonly<Record<RouteName, Places>>
