#!/usr/bin/env node
// For a Node of any age: what svc runs with is looked at before anything else is read.
var needed = require('../package.json').engines.node.replace('>=', '')
var found = process.versions.node

if (parseInt(found, 10) >= parseInt(needed, 10)) {
  require('./start.cjs')
} else {
  var both = 'svc needs Node ' + needed + ' or newer, and this is Node ' + found
  console.error(both + ': install one, as from https://nodejs.org, and start svc again.')
  process.exitCode = 1
}
