// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/interface_text.hpp"

namespace sweetspot {

std::string_view service_interface_text() {
  return R"varlink(# What every varlink service answers (https://varlink.org/Service).
interface org.varlink.service

# Who the service is, and which interfaces it has.
method GetInfo() -> (
  vendor: string,
  product: string,
  version: string,
  url: string,
  interfaces: []string
)

# The description of one of its interfaces.
method GetInterfaceDescription(interface: string) -> (description: string)

error InterfaceNotFound (interface: string)

error MethodNotFound (method: string)

# The interface has the method, but this service does not do it.
error MethodNotImplemented (method: string)

# A parameter has the wrong type, an unknown name or an impossible value. expected says what belongs there.
error InvalidParameter (parameter: string, expected: string)

# The method must be called with the flag more.
error ExpectedMore ()
)varlink";
}

}  // namespace sweetspot
