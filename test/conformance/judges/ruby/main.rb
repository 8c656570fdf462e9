# frozen_string_literal: true

# Runs every case of the Ruby client (ruby-google-api-client).

require_relative 'judge'
require_relative 'people_cases'
require_relative 'organisation_cases'
require_relative 'reseller_cases'
require_relative 'logging_cases'
require_relative 'trace_cases'
require_relative 'admob_cases'
require_relative 'convention_cases'

run_cases
