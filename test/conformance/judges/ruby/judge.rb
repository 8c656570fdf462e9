# frozen_string_literal: true

# What the cases of the Ruby client share: the world they work in, and the list they stand in.
# A case calls the official client and reads the effect back by another call. Each prints one line of JSON:
# {"name", "ok", "detail"}.

require 'google/apis/admin_directory_v1'
require 'google/apis/admob_v1beta'
require 'google/apis/cloudtrace_v1'
require 'google/apis/cloudtrace_v2'
require 'google/apis/cloudtrace_v2beta1'
require 'google/apis/logging_v2'
require 'google/apis/reseller_v1'
require 'google/apis/storage_v1'
require 'json'
require 'net/http'
require 'retriable'
require 'securerandom'

URL = ENV.fetch('JUDGE_URL')
TOKEN = ENV.fetch('JUDGE_TOKEN')
CUSTOMER = ENV.fetch('JUDGE_CUSTOMER')
DOMAIN = ENV.fetch('JUDGE_DOMAIN')
KEY_FILE = ENV.fetch('JUDGE_KEY_FILE')
# A number and a name of this tenant alone.
NUMBER = (300_000_000_000 + CUSTOMER[1..].hex).to_s
PROJECT_ID = "by-ruby-#{CUSTOMER.downcase}"
PROJECT = "projects/#{PROJECT_ID}"

Google::Apis.logger = Logger.new(File::NULL)
Retriable.configure { |choices| choices.sleep_disabled = true } # Tries follow at once: the count matters, not the wait.

Admin = Google::Apis::AdminDirectoryV1
Reseller = Google::Apis::ResellerV1
Logs = Google::Apis::LoggingV2
Trace = Google::Apis::CloudtraceV2
TraceV1 = Google::Apis::CloudtraceV1
TraceSinks = Google::Apis::CloudtraceV2beta1
Admob = Google::Apis::AdmobV1beta
Storage = Google::Apis::StorageV1

# A client pointed at the judged origin, with the token.
def client(kind)
  service = kind.new
  service.root_url = "#{URL}/"
  service.authorization = TOKEN
  service
end

DIRECTORY = client(Admin::DirectoryService)
SHOP = client(Reseller::ResellerService)
LOGS = client(Logs::LoggingService)
TRACE = client(Trace::CloudTraceService)
TRACE_V1 = client(TraceV1::CloudTraceService)
TRACE_SINKS = client(TraceSinks::CloudTraceService)
ADMOB = client(Admob::AdMobService)
STORAGE = client(Storage::StorageService)

CASES = [] # rubocop:disable Style/MutableConstant

def judge(name, &run)
  CASES << [name, run]
end

def fresh(word)
  @made = (@made || 0) + 1
  "#{word}-rb#{@made}"
end

def address(word = 'user')
  "#{fresh(word)}@#{DOMAIN}"
end

def same(actual, expected)
  raise "#{actual.inspect}, expected #{expected.inspect}" unless actual == expected
end

def holds(condition, *said)
  raise "does not hold: #{said.inspect}" unless condition
end

# The error that a call must end in, as the client raises it.
def refusal
  answer = yield
rescue Google::Apis::Error => e
  e
else
  raise "not refused: #{answer.inspect}"
end

# A call of the emulator's own controls, which no client of the vendor knows.
def emulate(path, body)
  headers = { 'authorization' => "Bearer #{TOKEN}", 'content-type' => 'application/json' }
  answer = Net::HTTP.post(URI(URL + path), JSON.generate(body), headers)
  holds answer.is_a?(Net::HTTPSuccess), answer.body
  JSON.parse(answer.body)
end

def seed(method, params, body)
  made = emulate("/v1/tenants/#{CUSTOMER}:seed", calls: [{ method: method, params: params, body: body }])['calls']
  holds made.all? { |one| one['ok'] }, made
end

def fail_with(fault)
  emulate('/v1/faults', fault)
end

def user_of(**more)
  name = Admin::UserName.new(given_name: 'Grace', family_name: 'Hopper')
  Admin::User.new(**{ primary_email: address, password: 'correct horse battery', name: name }.merge(more))
end

def make_user(**more)
  DIRECTORY.insert_user(user_of(**more))
end

def make_group
  DIRECTORY.insert_group(Admin::Group.new(email: address('group'), name: 'Crew', description: 'All hands'))
end

def run_cases
  CASES.each do |name, run|
    line = begin
      run.call
      { name: name, ok: true, detail: '' }
    rescue StandardError => e
      place = e.backtrace.find { |each| each.include?(__dir__) && !each.include?('judge.rb') }.to_s.split('/').last
      said = e.is_a?(Google::Apis::Error) ? "#{e.message} #{e.body}" : e.message
      { name: name, ok: false, detail: "#{e.class}: #{said} (#{place})"[0, 1000] }
    end
    puts JSON.generate(line)
    $stdout.flush
  end
end
