# SPDX-License-Identifier: Apache-2.0
# What is installed, in two components, of which packaging/debian/rules makes two packages: `sweetspotd` (daemon, command line
# and what they need; the default, set in CMakeLists.txt) and `sweetspotd-sim` (the board simulator).
include(GNUInstallDirs)
set(SWEETSPOT_BASH_DIR ${CMAKE_INSTALL_DATADIR}/bash-completion/completions CACHE STRING "Folder of the bash completions")
set(SWEETSPOT_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Folder of the zsh completions")

install(TARGETS sweetspotd RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR})
install(TARGETS sweetspot RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(SWEETSPOT_CUDA)
  install(TARGETS sweetspot-load RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES config/io.sweetspotd.Governor.varlink DESTINATION ${CMAKE_INSTALL_DATADIR}/varlink)
install(FILES systemd/sweetspotd.catalog DESTINATION lib/systemd/catalog)
install(DIRECTORY config/trees config/curves DESTINATION ${CMAKE_INSTALL_DATADIR}/sweetspotd)
install(FILES man/sweetspot.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES man/sweetspotd-config.5 DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
install(FILES man/io.sweetspotd.Governor.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
install(FILES man/sweetspotd.8 DESTINATION ${CMAKE_INSTALL_MANDIR}/man8)
install(FILES completion/bash/sweetspotd completion/bash/sweetspot DESTINATION ${SWEETSPOT_BASH_DIR})
install(FILES completion/zsh/_sweetspotd completion/zsh/_sweetspot DESTINATION ${SWEETSPOT_ZSH_DIR})
install(FILES README.md CHANGELOG.md NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN man EXCLUDE PATTERN decisions EXCLUDE)
install(FILES config/config.json examples/five_lines.py DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)

install(TARGETS sweetspot-sim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT sweetspotd-sim)
install(FILES man/sweetspot-sim.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT sweetspotd-sim)
install(FILES completion/bash/sweetspot-sim DESTINATION ${SWEETSPOT_BASH_DIR} COMPONENT sweetspotd-sim)
install(FILES completion/zsh/_sweetspot-sim DESTINATION ${SWEETSPOT_ZSH_DIR} COMPONENT sweetspotd-sim)
